import { Link, useParams } from '@tanstack/react-router'
import { useCall } from '~/api/call.ts'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { isLatest, useShownVersion } from '../statements/reissue.tsx'
import { HINT, StatementPage } from '../statements/statement-page.tsx'
import { usePartnership } from './portal-context.ts'

export const PortalStatement = () => {
  const partnership = usePartnership()
  const programId = String(partnership.programId)
  const { lineId = '' } = useParams({ strict: false })
  const statement = useCall('get /api/portal/programs/{programId}/payouts/{lineId}/statement', {
    programId: partnership.programId,
    lineId: Number(lineId),
    query: { version: useShownVersion() },
  })
  return (
    <StatementPage
      statement={statement}
      back={
        <Link to="/portal/$programId/payouts" params={{ programId }} className={BACK_LINK}>
          <BackLabel>Payouts</BackLabel>
        </Link>
      }
      missing={
        <Link to="/portal/$programId/payouts" params={{ programId }} className={buttonClass({ look: 'primary' })}>
          Go to payouts
        </Link>
      }
      hint={(shown) =>
        isLatest(shown) &&
        !shown.partner && (
          <p className={HINT}>
            {shown.canReissue
              ? `Legal details were added since this statement was issued. ${partnership.programName} can reissue it.`
              : `Your legal details were missing when this statement was issued. Add them on the Payouts page, then ask ${partnership.programName} to reissue it.`}
          </p>
        )
      }
    />
  )
}
