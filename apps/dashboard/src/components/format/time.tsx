import { useEffect, useState } from 'react'
import { formatAgo, formatTime } from './format.ts'

const MINUTE_MS = 60_000

type Props = {
  at: string | null | undefined
  empty?: string
  /** Adds the time of day to days. */
  withTime?: boolean
}

/** A relative time; the exact time is in the tooltip. */
export const Ago = ({ at, empty = '–', withTime }: Props) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  if (!at) return <span className="text-faint">{empty}</span>
  return (
    <time dateTime={at} title={formatTime(at)} className="whitespace-nowrap">
      {formatAgo(at, Math.max(now, Date.now()), withTime)}
    </time>
  )
}
