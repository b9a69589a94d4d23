import type { PromotionCode } from '@tributary/contract/programs/codes'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import { Progress } from '~/components/progress.tsx'

type Earlier = PromotionCode['earlier']

/** What crediting earlier payments means, next to the control that starts it. */
export const EARLIER_HINT =
  'Pays commissions for payments that already carried the code and are credited to no one. Renewals of these customers count from then on.'

/** How far crediting earlier payments got when the service answered. */
export const earlierText = (earlier: Earlier) => {
  if (!earlier) return ''
  if (earlier.finishedAt === null) return ' Earlier payments are being credited in the background.'
  return earlier.total === 0
    ? ' No earlier payment waits for it.'
    : ` ${formatCount(earlier.total, 'earlier payment')} checked.`
}

export const isCrediting = ({ earlier }: Pick<PromotionCode, 'earlier'>) => earlier?.finishedAt === null

/** Nothing once it is finished. */
export const EarlierProgress = ({ code: { code, earlier } }: { code: PromotionCode }) =>
  isCrediting({ earlier }) && (
    <div className="mt-1.5 w-52">
      <Progress label={`Earlier payments with ${code}`} progress={earlier} noun="earlier payments" />
    </div>
  )

/** The same in the line of a phone. */
export const EarlierCount = ({ code: { earlier } }: { code: PromotionCode }) =>
  earlier &&
  isCrediting({ earlier }) && (
    <span className="shrink-0 tabular-nums">
      {formatNumber(earlier.done)} of {formatNumber(earlier.total)} earlier
    </span>
  )
