import type { WebhookAttempt } from '@tributary/contract'
import { Badge } from '~/components/badge.tsx'
import { formatNumber, formatTimeWithSeconds } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'

/** The newest is open. */
export const Attempts = ({ attempts }: { attempts: WebhookAttempt[] }) => (
  <ol className="flex flex-col gap-2">
    {attempts.map((attempt, index) => (
      <li key={attempt.number}>
        <details open={index === 0} className="rounded-lg border border-line">
          <summary className="cursor-pointer rounded-lg px-3.5 py-2.5 text-sm">
            <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 align-middle">
              <span className="font-medium">Attempt {attempt.number}</span>
              <StatusBadge attempt={attempt} />
              <span className="text-faint text-xs">{formatTimeWithSeconds(attempt.at)}</span>
            </span>
          </summary>
          <div className="flex flex-col gap-3 border-line border-t px-3.5 py-3">
            <AttemptResult attempt={attempt} />
            <Text label="Request headers" text={headerLines(attempt)} />
          </div>
        </details>
      </li>
    ))}
  </ol>
)

export const StatusBadge = ({ attempt: { status, error } }: { attempt: WebhookAttempt }) => (
  <Badge tone={error === null ? 'good' : 'bad'}>{status ?? 'No response'}</Badge>
)

const headerLines = ({ url, headers }: WebhookAttempt) =>
  [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')

/** How the endpoint responded. */
export const AttemptResult = ({ attempt }: { attempt: WebhookAttempt }) => (
  <div className="flex flex-col gap-2 text-sm">
    <p className="text-soft">
      {attempt.error ?? 'Delivered.'} <span className="text-faint">{formatNumber(attempt.durationMs)} ms</span>
    </p>
    {attempt.response && <Text label="Response" text={attempt.response} />}
  </div>
)

export const Text = ({ label, text }: { label: string; text: string }) => (
  <div>
    <p className="text-faint text-xs">{label}</p>
    <Scrollable
      label={label}
      className="mt-1 max-h-72 overflow-auto rounded-lg border border-line bg-sunken focus-visible:-outline-offset-2"
    >
      <pre className="w-fit px-3 py-2 font-mono text-ink text-xs leading-relaxed">{text}</pre>
    </Scrollable>
  </div>
)
