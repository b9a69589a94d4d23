import type { RewardAnswer } from '@tributary/contract'
import { useState } from 'react'
import { type Draft, draftOf } from './draft.ts'

/** Terms under change: only what somebody wrote is kept here, and the rest is what holds, also if that changes meanwhile. */
export const useDraft = (reward: RewardAnswer) => {
  const [written, setWritten] = useState<Partial<Draft>>({})
  const before = draftOf(reward)
  const draft: Draft = { ...before, ...written }
  const names = Object.keys(before) as (keyof Draft)[]
  return {
    draft,
    isTouched: names.some((name) => draft[name] !== before[name]),
    write: (some: Partial<Draft>) => setWritten((others) => ({ ...others, ...some })),
    /** Whoever wrote on while it was saved keeps what they wrote. */
    saved: () => setWritten((now) => (now === written ? {} : now)),
  }
}
