import type { WebhookEndpoint } from '@tributary/contract'
import { MAX_COUNTED_PENDING, WEBHOOK_DISABLE_DAYS } from '@tributary/contract/webhook-limits'
import type { ReactNode } from 'react'
import { StateChip } from '~/components/badge.tsx'
import { formatAgo, formatNumber, formatTime } from '~/components/format/format.ts'

/** One failed test event is no reason to warn. */
const DAY_MS = 86_400_000

const REASONS = {
  member: (at: string) => `Disabled ${formatAgo(at)}`,
  gone: (at: string) => `Responded with 410 Gone ${formatAgo(at)}`,
  failing: (at: string) => `Failed for ${WEBHOOK_DISABLE_DAYS} days, until ${formatTime(at)}`,
}

const stateOf = ({ enabled, failingSince }: WebhookEndpoint) => {
  if (!enabled) return 'disabled'
  return failingSince ? 'failing' : 'active'
}

const explain = ({ disabledReason, disabledAt, failingSince, disablesAt, lastDeliveredAt }: WebhookEndpoint) => {
  if (disabledReason && disabledAt) return REASONS[disabledReason](disabledAt)
  if (failingSince) {
    const since = `Since ${formatTime(failingSince)}`
    const isWarned = disablesAt && Date.now() - Date.parse(failingSince) >= DAY_MS
    return isWarned ? `${since}. Will be disabled on ${formatTime(disablesAt)} if it keeps failing` : since
  }
  return lastDeliveredAt ? `Last delivered ${formatAgo(lastDeliveredAt)}` : 'No deliveries yet'
}

const countPending = (pending: number) =>
  pending >= MAX_COUNTED_PENDING ? `${formatNumber(MAX_COUNTED_PENDING)} or more pending` : `${pending} pending`

export const EndpointState = ({ endpoint }: { endpoint: WebhookEndpoint }) => <StateChip state={stateOf(endpoint)} />

export const EndpointStatus = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <span className="flex flex-col items-start gap-1 max-sm:items-end">
    <EndpointState endpoint={endpoint} />
    <Line>
      {explain(endpoint)}
      {endpoint.pending > 0 && ` · ${countPending(endpoint.pending)}`}
    </Line>
  </span>
)

const Line = ({ children }: { children: ReactNode }) => (
  <span className="text-pretty text-faint text-xs">{children}</span>
)
