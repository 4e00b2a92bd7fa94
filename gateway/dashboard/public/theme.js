// Runs before the first paint, so that a chosen theme does not flash; a file, for the CSP allows no inline script.
try {
  const theme = localStorage.getItem('perch.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; then the system's theme it is.
}
