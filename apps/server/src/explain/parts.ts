import { type Explanation, type Part, type Step, say, toDecimal } from '@tributary/contract'
import { formatMoney } from '../format-money.ts'
import { formatDate, formatDateTime } from '../format-time.ts'

/** Every plain sentence of an answer is written here, from its parts. */
export const toSentence = ({ parts }: { parts: Part[] }) => parts.map(toText).join('')

const toText = (part: Part) => {
  if (part.type === 'amount') return formatMoney(toDecimal(part.amountCents, part.currency), part.currency)
  if (part.type === 'time')
    return (part.precision === 'day' ? formatDate : formatDateTime)(new Date(part.at), part.timeZone)
  return part.text
}

export const toStep = (kind: Step['kind'], code: Step['code'], parts: Part[] | string): Step => ({
  kind,
  code,
  parts: startSentence(typeof parts === 'string' ? say`${parts}` : parts),
})

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Never changes the case of a name, which is a link. */
const startSentence = (parts: Part[]) =>
  parts.map((part, index) => (index === 0 && part.type === 'text' ? { ...part, text: capitalize(part.text) } : part))

export const toExplanation = (answer: Omit<Explanation, 'sentences'>): Explanation => ({
  ...answer,
  sentences: answer.steps.map(toSentence),
})

type Entry = Explanation['timeline'][number]

export const toEntry = ({ parts, ...entry }: Omit<Entry, 'sentence'>): Entry => ({
  ...entry,
  sentence: toSentence({ parts }),
  parts,
})

/** The answer with other steps. */
export const withSteps = (answer: Explanation, steps: Step[]) => toExplanation({ ...answer, steps })
