import { Link, useParams } from '@tanstack/react-router'
import type { SaleDetail } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import { AssignSale } from '../adjustments/assign-sale.tsx'
import { CustomerButton } from '../explain/customer-button.tsx'
import { Explanation } from '../explain/explanation.tsx'
import { ExplanationSkeleton } from '../explain/explanation-skeleton.tsx'
import { MergedNotice } from './merged-notice.tsx'
import { NoTermsNotice } from './no-terms-notice.tsx'
import { SaleFacts } from './sale-facts.tsx'
import { SaleFigures } from './sale-figures.tsx'
import { isAboutRules, SaleItems } from './sale-items.tsx'

const SALE = 'get /api/programs/{programId}/sales/{saleId}'

export const Sale = () => {
  const { program, may } = useProgram()
  const { saleId = '' } = useParams({ strict: false })
  const sale = useCall(SALE, { programId: program.id, saleId: Number(saleId) })
  const customerId = sale.data?.customerId
  return (
    <Page
      title={sale.data ? `Sale ${sale.data.invoiceId}` : 'Sale'}
      back={<BackLink programId={program.id} list="sales" />}
      actions={
        <>
          {customerId && <CustomerButton programId={program.id} customerId={customerId} />}
          {sale.data && !sale.data.voidedAt && may('payout:manage') && <AssignSale sale={sale.data} />}
        </>
      }
    >
      <QueryView
        query={sale}
        loading={<ExplanationSkeleton />}
        missing={{
          noun: 'sale',
          back: (
            <Link
              to="/programs/$programId/sales"
              params={{ programId: String(program.id) }}
              className={buttonClass({ look: 'primary' })}
            >
              Go to sales
            </Link>
          ),
        }}
      >
        {(data) => (
          <>
            {data.voidedAt && <MergedNotice sale={data} />}
            {data.noCommissionReason === 'no_terms' && !data.voidedAt && <NoTermsNotice />}
            <SaleFigures sale={data} />
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="flex min-w-0 flex-col gap-5">
                <Explained sale={data} />
              </div>
              <SaleFacts sale={data} />
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}

const Explained = ({ sale }: { sale: SaleDetail }) => {
  const { program } = useProgram()
  const explanation = useCall(`${SALE}/explain`, { programId: program.id, saleId: sale.id })
  return (
    <QueryView query={explanation} loading={<ExplanationSkeleton />}>
      {(data) => (
        <Explanation explanation={{ ...data, steps: data.steps.filter((step) => !isAboutRules(step)) }}>
          <SaleItems sale={sale} explanation={data} />
        </Explanation>
      )}
    </QueryView>
  )
}
