import { Link, useParams } from '@tanstack/react-router'
import type { CustomerDetail } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { FactList, Figures } from '~/components/facts/fact-list.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatDate, formatNumber, formatTime } from '~/components/format/format.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ExplainLink } from '../explain/explain-link.tsx'
import { PartnerCell } from '../partners/partner-link.tsx'
import { CustomerStrip } from './customer-strip.tsx'
import { CustomerTimeline } from './customer-timeline.tsx'
import { EraseCustomer } from './erase-customer.tsx'
import { isErased } from './erased.ts'

export const Customer = () => {
  const { program, may } = useProgram()
  const { customerId = '' } = useParams({ strict: false })
  const input = { programId: program.id, customerId }
  const customer = useCall('get /api/programs/{programId}/customers/{customerId}', input)
  const { customerKey, status, email, leadId } = customer.data ?? {}
  return (
    <Page
      title={isErased(customerKey) ? 'Erased customer' : (customerKey ?? (customer.data ? 'Visitor' : 'Customer'))}
      description={isErased(customerKey) ? 'Personal data was erased. The remaining records are anonymous.' : email}
      back={<BackLink programId={program.id} list="sales/customers" />}
      actions={
        <>
          {status && <StateChip state={status} />}
          {leadId && <ExplainLink of={{ leadId }} look="button" />}
          {customer.data && !isErased(customerKey) && may('member:manage') && (
            <EraseCustomer customer={customer.data} />
          )}
        </>
      }
    >
      <QueryView
        query={customer}
        loading={<CustomerSkeleton />}
        missing={{
          noun: 'customer',
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
        {(data) => <CustomerBody customer={data} />}
      </QueryView>
    </Page>
  )
}

/** What the partner is credited for. */
const cameBy = ({ creditedBy, code, aff }: CustomerDetail) => {
  if (creditedBy === 'code') return `Code: ${code}`
  return aff && `Link code: ${aff}`
}

const CustomerBody = ({ customer }: { customer: CustomerDetail }) => {
  const { program } = useProgram()
  const { revenue, sales, firstClickedAt, lastClickedAt, leadAt, timeline, id, customerKey } = customer
  const isByCode = customer.creditedBy === 'code'
  const figures = [
    { label: 'Revenue', value: <Amounts of={revenue} currency={program.currency} />, note: 'before refunds' },
    { label: 'Sales', value: formatNumber(sales) },
    { label: 'Partner', value: <PartnerCell row={customer} whole />, note: cameBy(customer) },
    { label: 'Lead since', value: leadAt ? formatDate(leadAt) : 'Not yet' },
  ]
  const facts = [
    ...(customerKey && !isErased(customerKey)
      ? [{ label: 'Customer key', value: customerKey, copy: customerKey }]
      : []),
    { label: isByCode ? 'Customer ID' : 'Click ID', value: <code className="font-mono text-xs">{id}</code>, copy: id },
    ...(isByCode
      ? [{ label: 'Code used', value: formatTime(firstClickedAt) }]
      : [
          { label: 'First click', value: formatTime(firstClickedAt) },
          { label: 'Last click', value: formatTime(lastClickedAt) },
        ]),
  ]
  return (
    <>
      <Figures figures={figures} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card className="pb-5">
          <CardHeader
            title="Timeline"
            description="Clicks, the lead, sales, commissions, refunds and disputes, oldest first."
          />
          <CustomerStrip timeline={timeline} />
          <div className="px-5 pt-5">
            <CustomerTimeline timeline={timeline} />
          </div>
        </Card>
        <Card weight="quiet" className="px-5 py-2">
          <FactList facts={facts} />
        </Card>
      </div>
    </>
  )
}

const CustomerSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-20 w-full rounded-xl" />
    <Skeleton className="h-96 w-full rounded-xl" />
  </Loading>
)
