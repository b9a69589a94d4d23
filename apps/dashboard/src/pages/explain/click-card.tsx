import { clsx } from 'clsx'
import { ShoppingBag, Trophy, UserRoundPlus } from 'lucide-react'
import { Badge } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { type Mark, TimeStrip } from '~/components/facts/time-strip.tsx'
import { formatCount, formatDate, formatList, formatTime } from '~/components/format/format.ts'
import { type Facts, type RecordedClick, recordedClicks } from './recorded-clicks.ts'

type Props = {
  facts: Facts
  kind: 'sale' | 'lead'
  end: string | null
  /** The customer was already a lead, so these clicks decided the lead, not this sale. */
  isDecidedByLead: boolean
  /** When they became a lead, if the reader may see it. */
  leadAt: string | null
  /** The later decision of a member that replaced what the clicks decided. */
  assignment: string | null
}

const DAY_MS = 86_400_000
const NOUNS = { sale: 'sale', lead: 'lead' }

/** The clicks on a timeline with the winning one marked, and the sale or lead they led to. */
export const ClickCard = ({ facts, kind, end, isDecidedByLead, leadAt, assignment }: Props) => {
  const clicks = recordedClicks(facts.clicks)
  const marks: Mark[] = clicks.map(({ key, at, won }, index) => ({
    key,
    at,
    look: won ? 'winner' : 'plain',
    sign: index + 1,
  }))
  if (leadAt) marks.push({ key: 'lead', at: leadAt, look: 'lead', sign: <UserRoundPlus /> })
  if (end) marks.push({ key: 'end', at: end, look: kind, sign: kind === 'sale' ? <ShoppingBag /> : <UserRoundPlus /> })
  const others = facts.otherClicks
  return (
    <Card className="pb-2">
      <CardHeader
        title="Clicks"
        description={
          isDecidedByLead
            ? describeEarlierClicks(leadAt)
            : describeClicks(clicks, { isWonByCode: facts.codes.some(({ why }) => why === null) })
        }
      />
      <div className="mt-3">
        <TimeStrip
          label={describeStrip(clicks, { kind, end, leadAt })}
          marks={marks}
          band={isDecidedByLead ? undefined : attributionWindow(facts, end, clicks[0]?.at)}
        />
      </div>
      <ol className="mt-4 divide-y divide-line border-line border-t">
        {clicks.map((click, index) => (
          <ClickRow key={click.key} click={click} number={index + 1} assignment={assignment} />
        ))}
      </ol>
      {others > 0 && (
        <p className="border-line border-t px-5 py-2.5 text-faint text-xs">And {formatCount(others, 'more click')}.</p>
      )}
    </Card>
  )
}

const describeEarlierClicks = (leadAt: string | null) =>
  `Clicks before this sale.${leadAt ? ` The customer became a lead on ${formatDate(leadAt)}.` : ''}`

const describeClicks = (clicks: RecordedClick[], { isWonByCode }: { isWonByCode: boolean }) => {
  if (isWonByCode) return 'A promotion code won credit. Why the clicks did not.'
  if (!clicks.some(({ won }) => won)) return 'Why no click won credit.'
  return clicks.length > 1 ? 'The click that won credit, and why the others did not.' : 'The click that won credit.'
}

type RowProps = { click: RecordedClick; number: number; assignment: string | null }

const ClickRow = ({ click, number, assignment }: RowProps) => (
  <li className="flex items-start gap-x-3.5 px-5 py-3 text-sm max-sm:flex-wrap">
    <span
      aria-hidden
      className={clsx(
        'grid size-6 shrink-0 place-items-center rounded-full border font-medium text-xs tabular-nums',
        click.won ? 'border-ink bg-ink text-surface' : 'border-line-strong text-soft',
      )}
    >
      {number}
    </span>
    <div className="min-w-0 flex-1 max-sm:basis-3/4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium">{click.partner}</span>
        <span className="wrap-anywhere text-faint">{click.link}</span>
        {click.won && (
          <Badge tone={assignment ? 'neutral' : 'good'}>
            <Trophy aria-hidden /> {assignment ? `Won before ${assignment}` : 'Won'}
          </Badge>
        )}
      </p>
      {!click.won && <p className="mt-0.5 text-soft">Not credited: {click.why}.</p>}
    </div>
    <time dateTime={click.at} className="shrink-0 pt-0.5 text-faint text-xs max-sm:w-full max-sm:pl-9.5">
      {formatTime(click.at)}
    </time>
  </li>
)

/** Clicks inside this window before the sale or lead can win. Left out if it covers the whole strip. */
const attributionWindow = (facts: Facts, end: string | null, first = '') => {
  const days = facts.decidedOn.cookieWindowDays
  if (typeof days !== 'number' || !end) return undefined
  const from = Date.parse(end) - days * DAY_MS
  if (from <= Date.parse(first)) return undefined
  return {
    from: new Date(from).toISOString(),
    to: end,
    label: `Shaded: ${days}-day attribution window`,
  }
}

const describeStrip = (clicks: RecordedClick[], { kind, end, leadAt }: Pick<Props, 'kind' | 'end' | 'leadAt'>) => {
  const winner = clicks.findIndex(({ won }) => won)
  const marks = [formatCount(clicks.length, 'click')]
  if (leadAt) marks.push(`the lead on ${formatTime(leadAt)}`)
  if (end) marks.push(`the ${NOUNS[kind]} on ${formatTime(end)}`)
  const won = winner < 0 ? '' : ` Click ${winner + 1} (${clicks[winner]?.partner}) won.`
  return `Timeline: ${formatList(marks)}.${won}`
}
