import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'

type CardProps<Details> = {
  title: string
  description: string | undefined
  query: UseQueryResult<Details | null>
  children: (details: Details | null) => ReactNode
}

/** A card with a form of details that the partner saves; null until they did. */
export const DetailsCard = <Details,>({ title, description, query, children }: CardProps<Details>) => (
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
        {children}
      </QueryView>
    </div>
  </Card>
)

type FormProps = {
  onSubmit: (values: FormData) => void
  change: Pick<UseMutationResult, 'error' | 'isPending'>
  /** Fields that show their own errors. */
  fields: string[]
  save: string
  children: ReactNode
}

export const DetailsForm = ({ onSubmit, change, fields, save, children }: FormProps) => (
  <Form onSubmit={onSubmit} className="flex flex-col gap-4">
    {children}
    <FormError error={change.error} fields={fields} />
    <Button type="submit" look="primary" busy={change.isPending} className="self-start">
      {save}
    </Button>
  </Form>
)
