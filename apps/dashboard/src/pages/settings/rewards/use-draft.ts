import type { RewardAnswer } from '@tributary/contract'
import { useState } from 'react'
import { type Draft, toDraft } from './draft.ts'

/** Stores only edited fields, so the others follow the saved terms even if those change. */
export const useDraft = (reward: RewardAnswer) => {
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const before = toDraft(reward)
  const draft: Draft = { ...before, ...edits }
  const names = Object.keys(before) as (keyof Draft)[]
  return {
    draft,
    isTouched: names.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name])),
    update: (change: Partial<Draft>) => setEdits((others) => ({ ...others, ...change })),
    /** Keeps edits made while saving. */
    clearSaved: () => setEdits((now) => (now === edits ? {} : now)),
  }
}
