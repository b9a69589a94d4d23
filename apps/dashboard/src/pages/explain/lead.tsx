import { Link, useParams } from '@tanstack/react-router'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import { CustomerButton } from './customer-button.tsx'
import { Explanation } from './explanation.tsx'
import { ExplanationSkeleton } from './explanation-skeleton.tsx'

/** Why a lead is attributed to its partner, or not credited yet. */
export const Lead = () => {
  const { program, may } = useProgram()
  const { leadId = '' } = useParams({ strict: false })
  const input = { programId: program.id, leadId: Number(leadId) }
  const explanation = useCall('get /api/programs/{programId}/leads/{leadId}/explain', input)
  const { subject } = explanation.data ?? {}
  const customerId = may('tracking:list') ? (subject?.clickId ?? null) : null
  return (
    <Page
      title={subject?.customerKey ? `Lead ${subject.customerKey}` : 'Lead'}
      back={<BackLink programId={program.id} list="sales/customers" />}
      actions={customerId && <CustomerButton programId={program.id} customerId={customerId} />}
    >
      <QueryView
        query={explanation}
        loading={<ExplanationSkeleton />}
        missing={{
          noun: 'lead',
          back: (
            <Link
              to="/programs/$programId/sales/customers"
              params={{ programId: String(program.id) }}
              className={buttonClass({ look: 'primary' })}
            >
              Go to customers
            </Link>
          ),
        }}
      >
        {(data) => <Explanation explanation={data} />}
      </QueryView>
    </Page>
  )
}
