import type { BulkOutcome } from '~/api/bulk.ts'
import { formatCount, formatList, formatNumber } from '../format/format.ts'
import { toast } from '../overlays/toast.tsx'
import { Progress } from '../progress.tsx'

type Words = { noun: string; verb: string }

/** "18 partners approved, 2 skipped: already approved." */
const describe = ({ done, skipped }: BulkOutcome, { noun, verb }: Words) => {
  const total = skipped.reduce((sum, { count }) => sum + count, 0)
  const counted = done === 0 ? `No ${noun}s ${verb}` : `${formatCount(done, noun)} ${verb}`
  if (total === 0) return `${counted}.`
  const reasons =
    skipped.length === 1
      ? skipped.map(({ reason }) => reason)
      : skipped.map(({ reason, count }) => `${formatNumber(count)} ${reason}`)
  return `${counted}, ${formatNumber(total)} skipped: ${formatList(reasons)}.`
}

/** Says what a bulk action did, and what stopped it. */
export const showOutcome = (outcome: BulkOutcome, words: Words) => {
  const text = describe(outcome, words)
  if (!outcome.stopped) return toast.done(text)
  const why = outcome.stopped instanceof Error ? outcome.stopped.message : 'Something went wrong.'
  return toast.failed(`${text} Then it stopped: ${why} Run it again for the rest.`)
}

type Props = { progress: { done: number; total: number } | null; noun: string }

/** Shown once there is more than one part. */
export const BulkProgress = ({ progress, noun }: Props) =>
  progress && progress.done > 0 ? <Progress label="Progress" progress={progress} noun={`${noun}s`} /> : null
