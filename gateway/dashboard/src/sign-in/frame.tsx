import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { Logo } from '../shell/logo.tsx';
import styles from './frame.module.css';

/** The page around a form that nobody needs to be signed in for. */
export function Frame(props: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Perch`;
  }, [props.title]);
  return (
    <div className={styles['frame']}>
      <header>
        <Logo />
      </header>
      <main className={styles['sheet']}>
        <div className="stack-2">
          <h1>{props.title}</h1>
          {props.lead ? <p className="muted">{props.lead}</p> : null}
        </div>
        {props.children}
      </main>
      {props.below ? <footer className="small muted">{props.below}</footer> : null}
    </div>
  );
}
