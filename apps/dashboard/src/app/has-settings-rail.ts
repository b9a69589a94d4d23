import { useSyncExternalStore } from 'react'

/** Tailwind's `xl`. */
const wide = () => matchMedia('(min-width: 80rem)')

/** Whether the window has room for the list of sections beside each section. */
export const hasSettingsRail = () => wide().matches

export const useHasSettingsRail = () => useSyncExternalStore(subscribe, hasSettingsRail)

const subscribe = (onChange: () => void) => {
  const query = wide()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
