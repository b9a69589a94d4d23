import { Link, useParams } from '@tanstack/react-router'
import type { Statement } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { isLatest, Reissue, useShownVersion } from './reissue.tsx'
import { HINT, StatementPage } from './statement-page.tsx'

export const MerchantStatement = () => {
  const { program } = useProgram()
  const { payoutId = '', lineId = '' } = useParams({ strict: false })
  const programId = String(program.id)
  const statement = useCall('get /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement', {
    programId: program.id,
    payoutId: Number(payoutId),
    lineId: Number(lineId),
    query: { version: useShownVersion() },
  })
  return (
    <StatementPage
      description="Names and addresses are as they were when the statement was issued. Customer and invoice references appear on screen only, not on the printed statement."
      statement={statement}
      back={
        <Link to="/programs/$programId/payouts/$payoutId" params={{ programId, payoutId }} className={BACK_LINK}>
          <BackLabel>Payout {payoutId}</BackLabel>
        </Link>
      }
      missing={
        <Link to="/programs/$programId/payouts" params={{ programId }} className={buttonClass({ look: 'primary' })}>
          Go to payouts
        </Link>
      }
      hint={(shown) => <Hint statement={shown} />}
    />
  )
}

/** What is missing, and how to add it. */
const Hint = ({ statement }: { statement: Statement }) => {
  const { program } = useProgram()
  const { merchant, partner, partnerName, canReissue } = statement
  if (!isLatest(statement) || (merchant && partner && !canReissue)) return null
  return (
    <div className={HINT}>
      {canReissue && <p>Legal details were added or changed since this statement was issued.</p>}
      {!merchant && !canReissue && (
        <p>
          Your legal details were missing when this statement was issued.{' '}
          <Link
            to="/programs/$programId/settings/legal-details"
            params={{ programId: String(program.id) }}
            className="font-medium underline"
          >
            Add them
          </Link>
          , then reissue it here.
        </p>
      )}
      {!partner && (
        <p>
          {partnerName}’s legal details were missing
          {merchant || canReissue ? ' when this statement was issued' : ' too'}. Only they can add them, on the Payouts
          page of their portal.
        </p>
      )}
      {canReissue && <Reissue statement={statement} />}
    </div>
  )
}
