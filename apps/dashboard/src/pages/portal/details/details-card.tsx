import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'

type CardProps<Details> = {
  title: string
  description: string | undefined
  query: UseQueryResult<Details | null>
  facts: (details: Details) => Fact[]
  /** `onDone` closes the form again; null as long as nothing is saved. */
  children: (details: Details | null, onDone: (() => void) | null) => ReactNode
}

type Fact = { label: string; value: ReactNode }

/** A card with details that the partner saves: a form until they did, then a summary that can be edited. */
export const DetailsCard = <Details,>({ title, description, query, facts, children }: CardProps<Details>) => (
  <Card>
    <CardHeader title={title} description={description} />
    <div className="px-5 pt-4 pb-5">
      <QueryView
        query={query}
        loading={
          <Loading className="flex flex-col gap-3">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
          </Loading>
        }
      >
        {(details) => <Details details={details} facts={facts} form={children} title={title} />}
      </QueryView>
    </div>
  </Card>
)

type DetailsProps<Saved> = {
  details: Saved | null
  facts: (details: Saved) => Fact[]
  form: CardProps<Saved>['children']
  title: string
}

const Details = <Saved,>({ details, facts, form, title }: DetailsProps<Saved>) => {
  const [isEditing, setEditing] = useState(false)
  if (details === null) return form(null, null)
  if (isEditing) return form(details, () => setEditing(false))
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={facts(details)} />
      <Button className="self-start" onClick={() => setEditing(true)} aria-label={`Edit ${title.toLowerCase()}`}>
        <Pencil aria-hidden /> Edit
      </Button>
    </div>
  )
}

type FormProps = {
  onSubmit: (values: FormData) => void
  change: Pick<UseMutationResult, 'error' | 'isPending'>
  /** Fields that show their own errors. */
  fields: string[]
  save: string
  onCancel: (() => void) | null
  children: ReactNode
}

export const DetailsForm = ({ onSubmit, change, fields, save, onCancel, children }: FormProps) => (
  <Form onSubmit={onSubmit} className="flex flex-col gap-4">
    {children}
    <FormError error={change.error} fields={fields} />
    <div className="flex flex-wrap gap-2">
      <Button type="submit" look="primary" busy={change.isPending}>
        {save}
      </Button>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  </Form>
)
