import type { Draft } from '../draft.ts'
import { newStage, type RuleDraft, type StageDraft } from './rule-draft.ts'

const A_YEAR = '12'

/** The first stage gets an end, so that another can follow. */
export const addStage = (pays: StageDraft[]): StageDraft[] => [
  ...pays.map((stage) => (stage.months === '' ? { ...stage, months: A_YEAR } : stage)),
  newStage({ kind: pays.at(-1)?.kind ?? 'percent' }),
]

/** What the simple form says, as a rule without conditions. */
export const ruleOfForm = ({ saleKind, percent, flat, duration, months }: Draft): RuleDraft => ({
  key: 0,
  when: duration === 'first' ? { payment: 'first' } : {},
  pays: [
    newStage({
      kind: saleKind === 'flat' ? 'flat' : 'percent',
      percent,
      flat,
      months: duration === 'months' ? months : '',
    }),
  ],
  maxPerSale: '',
  maxPerCustomer: '',
})

/** The form to return to once one rule is left that it can express; null if it cannot. */
const formOfRule = ({ when, pays, maxPerSale, maxPerCustomer }: RuleDraft): Partial<Draft> | null => {
  const [stage, ...later] = pays
  if (!stage || stage.kind === 'none' || later.length > 0 || maxPerSale || maxPerCustomer) return null
  const { payment, ...others } = when
  if (Object.keys(others).length > 0 || payment === 'renewal' || (payment && stage.months)) return null
  const { kind, percent, flat, months } = stage
  const duration = payment ? 'first' : months ? 'months' : 'lifetime'
  return { rules: [], saleKind: kind, percent, flat, duration, ...(months && { months }) }
}

/** After something was removed, the form is as simple as what is left. */
export const afterRemoving = (rules: RuleDraft[]): Partial<Draft> => {
  const [only, ...others] = rules
  const simple = only && others.length === 0 ? formOfRule(only) : null
  return simple ?? { rules }
}

const nextKey = (rules: RuleDraft[]) => Math.max(-1, ...rules.map(({ key }) => key)) + 1

/** A new rule comes before the last one if that is for everything, because nothing after it would match. */
export const addRule = (rules: RuleDraft[]): { rules: RuleDraft[]; key: number } => {
  const key = nextKey(rules)
  const added: RuleDraft = { key, when: { products: '' }, pays: [newStage()], maxPerSale: '', maxPerCustomer: '' }
  const last = rules.at(-1)
  const isLastForEverything = last !== undefined && Object.keys(last.when).length === 0
  const place = isLastForEverything ? rules.length - 1 : rules.length
  return { rules: rules.toSpliced(place, 0, added), key }
}

export const moveRule = (rules: RuleDraft[], from: number, to: number): RuleDraft[] => {
  const moved = rules[from]
  return moved ? rules.toSpliced(from, 1).toSpliced(to, 0, moved) : rules
}
