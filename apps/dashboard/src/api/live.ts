import { keepPreviousData, type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** Collects what happens together, such as a click and its lead. */
const DEBOUNCE_MS = 300
/** Time between two refreshes of a page. */
const REFRESH_MS = 2_000
export const POLL_MS = 3_000

/** The first part of the keys of everything that events change. */
const CHANGED_BY_EVENTS = [
  'tracking',
  'set-up',
  'analytics',
  'customers',
  'sales',
  'money',
  'links',
  'codes',
  'partners',
  'groups',
  'explain',
  'waiting',
]

/** After this time without a message, pages ask the service instead. */
const SILENCE_MS = 6_000
const RECONNECT_MS = 5_000

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
      id === programId &&
      CHANGED_BY_EVENTS.includes(String(name)) &&
      !hasNothingToShow(state) &&
      !(name === 'set-up' && isDone(state.data))
    const { refresh, stop } = refresher(() => queries.invalidateQueries({ predicate: isChanged }))
    let heardAt = Number.NEGATIVE_INFINITY
    const hear = (message: Message) => {
      heardAt = performance.now()
      setLive(true)
      if (message === 'change') refresh()
    }
    const leave = mayStream ? joinStream(programId, hear) : () => {}
    const poll = setInterval(() => {
      if (performance.now() - heardAt < SILENCE_MS) return
      setLive(false)
      refresh()
    }, POLL_MS)
    return () => {
      clearInterval(poll)
      stop()
      leave()
      setLive(false)
    }
  }, [programId, isVisible, mayStream, queries])
  return isLive
}

type Message = 'connected' | 'change'

/**
 * One page holds the stream for all pages of the browser: over HTTP/1.1 a browser has six connections to a service, and each page
 * with a stream of its own would take one. Without a secure context there are no locks, and each page connects.
 */
const joinStream = (programId: number, hear: (message: Message) => void) => {
  const name = `tributary program ${programId}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
  const tellAll = (message: Message) => {
    hear(message)
    channel.postMessage(message)
  }
  const left = Promise.withResolvers<void>()
  const hold = async () => {
    const disconnect = connect(programId, tellAll)
    await left.promise
    disconnect()
  }
  const abort = new AbortController()
  // A page that leaves before its turn has nothing to hold.
  if (navigator.locks) navigator.locks.request(name, { signal: abort.signal }, hold).catch(() => {})
  else hold()
  return () => {
    abort.abort()
    left.resolve()
    channel.close()
  }
}

/** The browser reconnects only after a lost connection, not after an error such as 502 during an upgrade. */
const connect = (programId: number, tellAll: (message: Message) => void) => {
  let stream: EventSource
  let retry: ReturnType<typeof setTimeout>
  const open = () => {
    stream = new EventSource(`/api/tracking/events/${programId}/stream`)
    for (const type of ['tracking', 'change']) stream.addEventListener(type, () => tellAll('change'))
    stream.onopen = () => tellAll('connected')
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) retry = setTimeout(open, RECONNECT_MS)
    }
  }
  open()
  const heartbeat = setInterval(() => stream.readyState === EventSource.OPEN && tellAll('connected'), POLL_MS)
  return () => {
    clearInterval(heartbeat)
    clearTimeout(retry)
    stream.close()
  }
}

const isPageVisible = () => document.visibilityState === 'visible'
const watchVisibility = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

/** Events only complete a setup. What undoes it, such as disconnecting the payment processor here, reads everything again. */
const isDone = (setUp: unknown) => (setUp as { done?: boolean } | undefined)?.done === true

/** Its page shows an error with a button: asking again automatically would make error and skeleton alternate. */
const hasNothingToShow = ({ status, data }: { status: string; data?: unknown }) =>
  status === 'error' && data === undefined

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

/** How reports are read: the last one stays while another loads, and a kept one, which is being recomputed, is requested again. */
export const REPORT = {
  placeholderData: keepPreviousData,
  refetchInterval: ({ state }: { state: { data?: { kept: boolean } | undefined } }) =>
    state.data?.kept ? KEPT_MS : false,
}

/** For pages without a connection to the service. Pauses while the page is hidden. */
export const whileVisible = ({ state }: { state: { status: string; data?: unknown } }) =>
  hasNothingToShow(state) ? false : POLL_MS

/** For lists of the portal. */
export const LIVE_LIST = { placeholderData: keepPreviousData, refetchInterval: whileVisible }
