import { Link } from '@tanstack/react-router';

/** The parts of the developer section. */
export function DeveloperTabs() {
  return (
    <nav className="tabs" aria-label="Developer">
      <Link to="/developer" activeOptions={{ exact: true }}>
        API keys
      </Link>
      <Link to="/developer/webhooks">Webhooks</Link>
      <Link to="/developer/requests">Requests</Link>
      <a href="/docs" target="_blank" rel="noopener">
        Docs
      </a>
    </nav>
  );
}
