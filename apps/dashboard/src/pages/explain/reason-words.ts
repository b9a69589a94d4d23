import { ADVICE, EVENT_REASONS, LOSER_REASONS, type LoserReason, REASONS } from '@tributary/contract/reasons'

const SENTENCES: Record<string, string> = { ...REASONS, ...EVENT_REASONS }

/** A reason code as the sentence that people read. */
export const sentenceFor = (reason: string) => SENTENCES[reason] ?? reason

export const loserReason = (why: LoserReason) => LOSER_REASONS[why]

const ADVICES = new Set<string>(Object.values(ADVICE))

/** What to do about it, apart from what happened. */
export const isAdvice = (sentence: string) => ADVICES.has(sentence)
