import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

/** Must match public/theme.js, which applies the theme before the first paint. */
const KEY = 'tributary:theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const read = (): Theme => {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system' // storage is blocked
  }
}

const apply = () => {
  const theme = read()
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && systemIsDark.matches))
  for (const listener of listeners) listener()
}

// On every page, so `main.tsx` imports this file too.
systemIsDark.addEventListener('change', apply)

const setTheme = (theme: Theme) => {
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {}
  apply()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = () => ({ theme: useSyncExternalStore(subscribe, read), setTheme })
