import { Radio } from 'lucide-react'

/** Without a live connection the list polls every few seconds. */
export const LiveBadge = ({ isLive }: { isLive: boolean }) => (
  <p className="inline-flex items-center gap-1.5 text-soft text-xs">
    <Radio aria-hidden className={isLive ? 'size-3.5 text-good-ink' : 'size-3.5 text-faint'} />
    {isLive ? 'Live' : 'Updates every few seconds'}
  </p>
)
