import { Link } from '@tanstack/react-router'
import type { Explanation as Explained } from '@tributary/contract'
import { CircleQuestionMark, Search } from 'lucide-react'
import { useWhy } from '~/api/explain.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, textOf } from '~/components/controls/form.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { Explanation } from '../explain/explanation.tsx'
import { ExplanationSkeleton } from '../explain/explanation-skeleton.tsx'
import { NeverCame } from './never-came.tsx'

type WhySearch = ListSearch & { name?: string | undefined }

/** "Why was this invoice not credited?", by whatever the merchant has in hand. The question is in the address. */
export const Why = () => {
  const { search, setFilter } = useListSearch<WhySearch>()
  const name = search.name ?? ''
  return (
    <Page
      title="Why was this not credited?"
      description="Paste what you have: the answer says what arrived, what was decided about it, and what to do."
    >
      <Card className="px-5 py-4">
        <Question key={name} name={name} onAsk={(asked) => setFilter({ name: asked || undefined })} />
      </Card>
      {name ? (
        <Answer name={name} />
      ) : (
        <Card>
          <EmptyState icon={<CircleQuestionMark />} title="One field for every name">
            An invoice ID, a payment reference such as pi_… or ch_…, your own key of a customer, or the click ID from
            the cookie. Also for what never arrived.
          </EmptyState>
        </Card>
      )}
    </Page>
  )
}

const Question = ({ name, onAsk }: { name: string; onAsk: (name: string) => void }) => (
  <Form role="search" onSubmit={(values) => onAsk(textOf(values, 'name'))} className="flex items-end gap-2">
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
      <Search aria-hidden /> Explain
    </Button>
  </Form>
)

const Answer = ({ name }: { name: string }) => {
  const { program } = useProgram()
  const answers = useWhy(program.id, name)
  return (
    <QueryView query={answers} loading={<ExplanationSkeleton />}>
      {([first, ...others]) =>
        first && first.outcome !== 'not_received' ? (
          <>
            <Explanation explanation={first} />
            <More answer={first} />
          </>
        ) : (
          <NeverCame name={name} answers={first ? [first, ...others] : []} />
        )
      }
    </QueryView>
  )
}

/** From the answer on to the sale or the customer itself. */
const More = ({ answer: { subject } }: { answer: Explained }) => {
  const { program, may } = useProgram()
  const programId = String(program.id)
  if (!may('tracking:list')) return null
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 px-1 text-sm [&_a]:rounded [&_a]:text-accent-ink [&_a]:hover:underline">
      {subject.kind === 'sale' && subject.id !== null && (
        <Link to="/programs/$programId/sales/$saleId" params={{ programId, saleId: String(subject.id) }}>
          Open the sale
        </Link>
      )}
      {subject.clickId && (
        <Link to="/programs/$programId/customers/$customerId" params={{ programId, customerId: subject.clickId }}>
          Open the customer
        </Link>
      )}
    </p>
  )
}
