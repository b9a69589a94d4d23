import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Explanation as Explained } from '@tributary/contract'
import { Search, SearchCheck } from 'lucide-react'
import { call } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, formText } from '~/components/controls/form.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { Explanation } from '../explain/explanation.tsx'
import { ExplanationSkeleton } from '../explain/explanation-skeleton.tsx'
import { NotReceived } from './not-received.tsx'

type WhySearch = ListSearch & { name?: string | undefined }

/** Explains an invoice, customer or click by any identifier. The identifier is in the URL. */
export const Why = () => {
  const { search, setFilter } = useListSearch<WhySearch>()
  const name = search.name ?? ''
  return (
    <Page
      title="Check attribution"
      description="Look up an invoice, payment, customer or click to see which partner was credited and why."
    >
      <Card className="px-5 py-4">
        <LookupForm key={name} name={name} onSearch={(text) => setFilter({ name: text || undefined })} />
      </Card>
      {name ? (
        <LookupResult name={name} />
      ) : (
        <Card>
          <EmptyState icon={<SearchCheck />} title="Nothing looked up yet">
            Paste an invoice ID, a payment reference such as pi_… or ch_…, a customer key, or the click ID from the
            service_click_id cookie.
          </EmptyState>
        </Card>
      )}
    </Page>
  )
}

const LookupForm = ({ name, onSearch }: { name: string; onSearch: (name: string) => void }) => (
  <Form role="search" onSubmit={(values) => onSearch(formText(values, 'name'))} className="flex items-end gap-2">
    <div className="min-w-0 flex-1">
      <Field label="Invoice, payment reference, customer key or click ID">
        {(wiring) => (
          <Input
            {...wiring}
            name="name"
            type="search"
            defaultValue={name}
            autoComplete="off"
            maxLength={255}
            required
          />
        )}
      </Field>
    </div>
    <Button type="submit" look="primary">
      <Search aria-hidden /> Look up
    </Button>
  </Form>
)

const EXPLAIN = 'get /api/programs/{programId}/explain'

/** Most specific first: the same text can be both an invoice ID and a customer key. */
const KINDS = ['invoice_id', 'customer_key', 'click_id'] as const

/** Looks the name up as each kind and returns the kinds that were received, or all of them if none was. */
const explain = async (programId: number, name: string) => {
  const explanations = await Promise.all(KINDS.map((kind) => call(EXPLAIN, { programId, query: { [kind]: name } })))
  const received = explanations.filter(({ outcome }) => outcome !== 'not_received')
  return received.length > 0 ? received : explanations
}

const LookupResult = ({ name }: { name: string }) => {
  const { program } = useProgram()
  const explanations = useQuery({
    queryKey: ['explain', program.id, name],
    queryFn: () => explain(program.id, name),
  })
  return (
    <QueryView query={explanations} loading={<ExplanationSkeleton />}>
      {([first, ...others]) =>
        first && first.outcome !== 'not_received' ? (
          <>
            <Explanation explanation={first} />
            <RelatedLinks explanation={first} />
          </>
        ) : (
          <NotReceived name={name} explanations={first ? [first, ...others] : []} />
        )
      }
    </QueryView>
  )
}

const RelatedLinks = ({ explanation: { subject } }: { explanation: Explained }) => {
  const { program, may } = useProgram()
  const programId = String(program.id)
  if (!may('tracking:list')) return null
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 px-1 text-sm [&_a]:rounded [&_a]:text-accent-ink [&_a]:hover:underline">
      {subject.kind === 'sale' && subject.id !== null && (
        <Link to="/programs/$programId/sales/$saleId" params={{ programId, saleId: String(subject.id) }}>
          View sale
        </Link>
      )}
      {subject.clickId && (
        <Link to="/programs/$programId/sales/customers/$customerId" params={{ programId, customerId: subject.clickId }}>
          View customer
        </Link>
      )}
    </p>
  )
}
