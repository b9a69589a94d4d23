import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** Collects what happens together, such as a click and its lead. */
const DEBOUNCE_MS = 300
/** Time between two refreshes of a page. */
const REFRESH_MS = 2_000
const POLL_MS = 3_000

/** The first part of the keys of everything that events change. */
const CHANGED_BY_EVENTS = ['tracking', 'customers', 'sales', 'money', 'links', 'partners', 'groups', 'explain']

/**
 * Keeps the figures and lists of a program current while its page is visible: refreshes them when the service announces a change,
 * or every few seconds without a connection. Returns whether there is one.
 */
export const useLiveProgram = (programId: number | null, { mayStream }: { mayStream: boolean }) => {
  const queries = useQueryClient()
  const isVisible = useSyncExternalStore(watchVisibility, isPageVisible)
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    if (programId === null || !isVisible) return
    const isChanged = ({ queryKey: [name, id], state }: Query) =>
      id === programId && CHANGED_BY_EVENTS.includes(String(name)) && !hasNothingToShow(state)
    const { refresh, stop } = refresher(() => queries.invalidateQueries({ predicate: isChanged }))
    const stream = mayStream ? new EventSource(`/api/tracking/events/${programId}/stream`) : null
    const poll = setInterval(() => stream?.readyState !== EventSource.OPEN && refresh(), POLL_MS)
    if (stream) {
      stream.onopen = () => setLive(true)
      stream.onerror = () => setLive(false) // the browser reconnects automatically
      for (const name of ['tracking', 'change']) stream.addEventListener(name, refresh)
    }
    return () => {
      clearInterval(poll)
      stop()
      stream?.close()
      setLive(false)
    }
  }, [programId, isVisible, mayStream, queries])
  return isLive
}

/** Its page shows an error with a button: asking again automatically would make error and skeleton alternate. */
const hasNothingToShow = ({ status, data }: { status: string; data?: unknown }) =>
  status === 'error' && data === undefined

const isPageVisible = () => document.visibilityState === 'visible'
const watchVisibility = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs one refresh at a time: one that starts earlier would cancel requests that a slow machine has not answered yet. */
const refresher = (run: () => Promise<unknown>) => {
  let isDue = false
  let isRunning = false
  let isStopped = false
  const refresh = async () => {
    isDue = true
    if (isRunning) return
    isRunning = true
    while (isDue && !isStopped) {
      await pause(DEBOUNCE_MS)
      isDue = false
      if (!isStopped) await Promise.all([run(), pause(REFRESH_MS - DEBOUNCE_MS)])
    }
    isRunning = false
  }
  const stop = () => {
    isStopped = true
  }
  return { refresh: () => void refresh(), stop }
}

const KEPT_MS = 4_000

/** For reports: a kept one is being recomputed, so ask again. */
export const untilRecomputed = ({ state }: { state: { data?: { kept: boolean } | undefined } }) =>
  state.data?.kept ? KEPT_MS : false

/** For pages without a connection to the service. Pauses while the page is hidden. */
export const whileVisible = ({ state }: { state: { status: string; data?: unknown } }) =>
  hasNothingToShow(state) ? false : POLL_MS
