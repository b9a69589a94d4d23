// Runs before the first paint to avoid a white flash in dark mode. The rest is in src/theme.ts.
try {
  const theme = localStorage.getItem('tributary:theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
} catch {}
