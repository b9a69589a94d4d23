import { useSyncExternalStore } from 'react'

let hasEnded = false
const listeners = new Set<() => void>()

/** Set when a call fails because the session has ended. */
export const sessionEnded = {
  set: (value: boolean) => {
    hasEnded = value
    for (const listener of listeners) listener()
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSessionEnded = () => useSyncExternalStore(subscribe, () => hasEnded)
