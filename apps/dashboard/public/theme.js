// Runs before the first paint, so that nobody who chose dark sees a white flash. The rest of the choice: src/theme.ts.
try {
  const theme = localStorage.getItem('tributary:theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
} catch {}
