import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call, type Result } from '~/api/call.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { isComplete } from './draft.ts'

const PREVIEW = 'post /api/programs/{programId}/reward/preview-sale'

export type SalePreview = Result<typeof PREVIEW>

/** What a real sale would earn under the terms in the form. By default the most recent one. */
export const useSalePreview = (reward: RewardForm, saleId?: number) => {
  const { program, may } = useProgram()
  const body = JSON.parse(useDeferredValue(JSON.stringify({ reward, saleId }))) as {
    reward: RewardForm
    saleId?: number
  }
  return useQuery({
    queryKey: ['reward sale preview', program.id, body],
    queryFn:
      may('commission:read') && isComplete(body.reward)
        ? () => call(PREVIEW, { programId: program.id, body })
        : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
