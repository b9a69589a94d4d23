import type { PromotionCode } from '@tributary/contract/programs/codes'
import { formatCount } from '~/components/format/format.ts'
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

/** Nothing once it is finished. */
export const EarlierProgress = ({ code: { code, earlier } }: { code: PromotionCode }) =>
  earlier &&
  earlier.finishedAt === null && (
    <div className="mt-1.5 w-44">
      <Progress label={`Earlier payments with ${code}`} progress={earlier} noun="earlier payments" />
    </div>
  )
