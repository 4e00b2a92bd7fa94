import { Link } from '@tanstack/react-router';
import styles from './logo.module.css';

/** The mark and the name, leading home. */
export function Logo() {
  return (
    <Link to="/" className={styles['logo']}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b6b63" />
        <path d="M6 24h20" stroke="#f4b76b" strokeWidth="2.4" strokeLinecap="round" />
        <path
          d="M10.5 23.5v-7.2a6.3 6.3 0 0 1 11.4-3.7l4.3 1.5-3.7 1.9v1.1a6.4 6.4 0 0 1-6.4 6.4z"
          fill="#fff"
        />
        <circle cx="18.6" cy="14.4" r="1.15" fill="#0b6b63" />
      </svg>
      Perch
    </Link>
  );
}
