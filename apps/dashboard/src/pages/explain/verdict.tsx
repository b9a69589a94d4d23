import type { Explanation, Step } from '@tributary/contract'
import { clsx } from 'clsx'
import { CircleCheck, CircleHelp, CircleSlash, Hourglass, Lightbulb, type LucideIcon } from 'lucide-react'
import { StateChip } from '~/components/badge.tsx'
import { Card } from '~/components/card.tsx'
import { formatCount, formatTime } from '~/components/format/format.ts'
import { Parts } from './parts.tsx'
import { assignmentOf, isDecidedByLead, ruleLabel } from './reason-text.ts'

const LOOKS: Record<Explanation['outcome'], [icon: LucideIcon, ground: string]> = {
  credited: [CircleCheck, 'bg-good-soft text-good-ink'],
  settled: [CircleCheck, 'bg-good-soft text-good-ink'],
  uncredited: [CircleSlash, 'bg-warn-soft text-warn-ink'],
  provisional: [Hourglass, 'bg-warn-soft text-warn-ink'],
  waiting: [Hourglass, 'bg-warn-soft text-warn-ink'],
  not_received: [CircleHelp, 'bg-sunken text-soft'],
}

export const Verdict = ({ explanation }: { explanation: Explanation }) => {
  const { outcome, steps } = explanation
  const [Icon, ground] = LOOKS[outcome]
  const [result, ...others] = steps
  // Cards below show the clicks and the history.
  const facts = others.filter(({ kind }) => kind === 'fact' || kind === 'reason')
  const advice = steps.filter(({ kind }) => kind === 'advice')
  return (
    <Card weight="lead">
      <div className="flex gap-4 px-5 py-5">
        <span
          aria-hidden
          className={clsx('grid size-9 shrink-0 place-items-center rounded-lg max-sm:hidden [&_svg]:size-5', ground)}
        >
          <Icon />
        </span>
        <div className="min-w-0 flex-1">
          <StateChip state={outcome} />
          <p className="wrap-anywhere mt-2 text-pretty text-section">{result && <Parts parts={result.parts} />}</p>
          {facts.map(({ parts }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several items or codes can have the same reason, and facts never reorder
            <p key={index} className="wrap-anywhere mt-1.5 text-pretty text-soft text-sm">
              <Parts parts={parts} />
            </p>
          ))}
        </div>
      </div>
      {advice.length > 0 && <Advice steps={advice} />}
      {!assignmentOf(explanation) && <RuleFacts explanation={explanation} />}
    </Card>
  )
}

const PRECEDENCES: Record<string, string> = { link: 'Link before code', code: 'Code before link' }
const MODELS: Record<string, string> = { last_click: 'Last click', first_click: 'First click' }

/** The rule that decided, and its settings. */
export const RuleFacts = ({ explanation }: { explanation: Explanation }) => {
  const { facts } = explanation
  if (!facts) return null
  const { attributionModel, cookieWindowDays, codePrecedence } = facts.decidedOn
  const isByLead = isDecidedByLead(explanation)
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1.5 border-line border-t px-5 py-3 text-faint text-xs">
      {!isByLead && (
        <Small label="Rule">
          {ruleLabel(facts.rule)}, version {facts.ruleVersion}
        </Small>
      )}
      {!isByLead && typeof attributionModel === 'string' && (
        <Small label="Model">{MODELS[attributionModel] ?? attributionModel}</Small>
      )}
      {!isByLead && typeof cookieWindowDays === 'number' && (
        <Small label="Window">{formatCount(cookieWindowDays, 'day')}</Small>
      )}
      {!isByLead && facts.codes.length > 0 && typeof codePrecedence === 'string' && (
        <Small label="Precedence">{PRECEDENCES[codePrecedence] ?? codePrecedence}</Small>
      )}
      <Small label="Decided">{formatTime(facts.decidedAt)}</Small>
    </dl>
  )
}

const Small = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div className="flex gap-1.5">
    <dt>{label}</dt>
    <dd className="text-soft">{children}</dd>
  </div>
)

const Advice = ({ steps }: { steps: Step[] }) => (
  <div className="mx-5 mb-5 flex gap-2.5 rounded-lg bg-sunken px-3.5 py-2.5 text-soft text-sm">
    <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0" />
    <div className="min-w-0">
      <p className="font-medium">What you can do</p>
      {steps.map(({ code, parts }) => (
        <p key={code} className="wrap-anywhere text-pretty">
          <Parts parts={parts} />
        </p>
      ))}
    </div>
  </div>
)
