import type { Explanation } from '@tributary/contract'
import { clsx } from 'clsx'
import { CircleCheck, CircleHelp, CircleSlash, Hourglass, Lightbulb, type LucideIcon } from 'lucide-react'
import { StateChip } from '~/components/badge.tsx'
import { Card } from '~/components/card.tsx'
import { formatCount, formatTime } from '~/components/format/format.ts'
import { assignmentOf, isAdvice, isDecidedByLead, ruleLabel } from './reason-text.ts'

const LOOKS: Record<Explanation['outcome'], [icon: LucideIcon, ground: string]> = {
  credited: [CircleCheck, 'bg-good-soft text-good-ink'],
  settled: [CircleCheck, 'bg-good-soft text-good-ink'],
  uncredited: [CircleSlash, 'bg-warn-soft text-warn-ink'],
  provisional: [Hourglass, 'bg-warn-soft text-warn-ink'],
  waiting: [Hourglass, 'bg-warn-soft text-warn-ink'],
  not_received: [CircleHelp, 'bg-sunken text-soft'],
}

/** The click card already shows these sentences. */
const IS_ABOUT_CLICK = /^(The|A) click on .* was (credited\.|not credited because .*)$/

/** Sentences that neither the headline, the click card nor the timeline shows. */
const remainingSentences = (explanation: Explanation) => {
  const { sentences, timeline, facts } = explanation
  const shown = new Set(timeline.map(({ sentence }) => sentence))
  return (
    sentences
      // The second sentence about a sale that a member moved is what the rules decided, which has its own card.
      .slice(assignmentOf(explanation) ? 2 : 1)
      .filter((sentence) => !shown.has(sentence) && !isAdvice(sentence) && !(facts && IS_ABOUT_CLICK.test(sentence)))
  )
}

export const Verdict = ({ explanation }: { explanation: Explanation }) => {
  const { outcome, sentences } = explanation
  const [Icon, ground] = LOOKS[outcome]
  const advice = sentences.filter(isAdvice)
  return (
    <Card>
      <div className="flex gap-4 px-5 py-5">
        <span
          aria-hidden
          className={clsx('grid size-9 shrink-0 place-items-center rounded-lg max-sm:hidden [&_svg]:size-5', ground)}
        >
          <Icon />
        </span>
        <div className="min-w-0 flex-1">
          <StateChip state={outcome} />
          <p className="wrap-anywhere mt-2 text-pretty font-semibold text-base leading-snug sm:text-[0.9375rem]">
            {sentences[0]}
          </p>
          {remainingSentences(explanation).map((sentence) => (
            <p key={sentence} className="wrap-anywhere mt-1.5 text-pretty text-soft text-sm">
              {sentence}
            </p>
          ))}
        </div>
      </div>
      {advice.length > 0 && <Advice sentences={advice} />}
      {!assignmentOf(explanation) && <RuleFacts explanation={explanation} />}
    </Card>
  )
}

const MODELS: Record<string, string> = { last_click: 'Last click', first_click: 'First click' }

/** The rule that decided, and its settings. */
export const RuleFacts = ({ explanation }: { explanation: Explanation }) => {
  const { facts } = explanation
  if (!facts) return null
  const { attributionModel, cookieWindowDays } = facts.decidedOn
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

const Advice = ({ sentences }: { sentences: string[] }) => (
  <div className="mx-5 mb-5 flex gap-2.5 rounded-lg bg-accent-soft px-3.5 py-2.5 text-accent-ink text-sm">
    <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0" />
    <div className="min-w-0">
      <p className="font-medium">What you can do</p>
      {sentences.map((sentence) => (
        <p key={sentence} className="wrap-anywhere text-pretty">
          {sentence}
        </p>
      ))}
    </div>
  </div>
)
