import { useMutation } from '@tanstack/react-query'
import type { BacktestBlock, BacktestProgress } from '@tributary/contract'
import { useEffect, useRef, useState } from 'react'
import { eventsOf, type Input } from '../call.ts'
import { ApiError } from '../client.ts'

const BACKTEST = 'post /api/programs/{programId}/reward/backtest'

export type BacktestRequest = Input<typeof BACKTEST>['body']
export type Backtest = { blocks: BacktestBlock[]; customers: number }

const INTERRUPTED = 'The comparison was interrupted. Start it again.'

type WatchOptions = { signal: AbortSignal; onProgress: (progress: BacktestProgress) => void }

const compare = async (
  programId: number,
  body: BacktestRequest,
  { signal, onProgress }: WatchOptions,
): Promise<Backtest> => {
  let customers = 0
  for await (const { event, data } of eventsOf(BACKTEST, { programId, body }, signal)) {
    if (event === 'result') return { blocks: (data as { data: BacktestBlock[] }).data, customers }
    customers = (data as BacktestProgress).total
    onProgress(data as BacktestProgress)
  }
  throw new ApiError(INTERRUPTED, { status: 0, code: 'offline' })
}

/** Calculates what partners would have earned under other terms. Cancelling, or leaving the page, also stops it on the server. */
export const useBacktest = (programId: number) => {
  const [progress, setProgress] = useState<BacktestProgress | null>(null)
  const running = useRef<AbortController>(null)
  const backtest = useMutation({
    mutationFn: (request: BacktestRequest) => {
      running.current = new AbortController()
      setProgress(null)
      return compare(programId, request, { signal: running.current.signal, onProgress: setProgress })
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const cancel = () => {
    running.current?.abort()
    backtest.reset()
  }
  return { ...backtest, progress, cancel }
}
