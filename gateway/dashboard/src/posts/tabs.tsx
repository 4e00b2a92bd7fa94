import { Link } from '@tanstack/react-router';

/** The two ways to look at posts. */
export function PostsTabs() {
  return (
    <nav className="tabs" aria-label="Posts">
      <Link to="/posts" activeOptions={{ exact: true, includeSearch: false }}>
        Calendar
      </Link>
      <Link to="/posts/list" activeOptions={{ includeSearch: false }}>
        List
      </Link>
    </nav>
  );
}
