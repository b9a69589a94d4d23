import { Link, useParams } from '@tanstack/react-router'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { HINT, StatementPage } from './statement-page.tsx'

export const MerchantStatement = () => {
  const { program } = useProgram()
  const { payoutId = '', lineId = '' } = useParams({ strict: false })
  const programId = String(program.id)
  const statement = useCall('get /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement', {
    programId: program.id,
    payoutId: Number(payoutId),
    lineId: Number(lineId),
  })
  return (
    <StatementPage
      description="Names and addresses are as they were when the payout was created. Customer and invoice references appear on screen only, not on the printed statement."
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
      hint={({ merchant, partner, partnerName }) =>
        (!merchant || !partner) && (
          <div className={HINT}>
            {!merchant && (
              <p>
                Your legal details were missing when this payout was created.{' '}
                <Link
                  to="/programs/$programId/settings/legal-details"
                  params={{ programId }}
                  className="font-medium underline"
                >
                  Add them for the next payout
                </Link>
                .
              </p>
            )}
            {!partner && (
              <p>
                {partnerName}’s legal details were missing{merchant ? ' when this payout was created' : ' too'}. Only
                they can add them, on the Payouts page of their portal.
              </p>
            )}
          </div>
        )
      }
    />
  )
}
