import { type ReactNode, useEffect } from 'react';

/** The title of a page, a line about it, and what can be done; it names the browser's tab too. */
export function PageHead(props: { title: string; children?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Perch`;
  }, [props.title]);
  return (
    <header className="row-between">
      <div>
        <h1>{props.title}</h1>
        {props.children ? <p className="muted">{props.children}</p> : null}
      </div>
      {props.actions ? <div className="row">{props.actions}</div> : null}
    </header>
  );
}
