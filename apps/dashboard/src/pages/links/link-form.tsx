import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '~/components/button.tsx'
import { Field, Input } from '~/components/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/form.tsx'

export type LinkWish = { destinationUrl: string | null; aff?: string }

/** What differs between who makes links for others and who makes their own. */
export type LinkWords = {
  page: { hint?: string; required: boolean; example?: string }
  aff: { label: string; hint: string }
  submit: string
}

type Props<Link, Wish> = {
  create: UseMutationResult<Link, Error, Wish>
  /** Adds what else a form of this kind says. */
  wishOf: (wish: LinkWish, values: FormData) => Wish
  words: LinkWords
  onDone: (link: Link) => void
  /** Fields before the others. */
  children?: ReactNode
}

const FIELDS = ['partnerId', 'destinationUrl', 'aff']

export const LinkForm = <Link, Wish>({ create, wishOf, words, onDone, children }: Props<Link, Wish>) => {
  const submit = (values: FormData) => {
    const aff = textOf(values, 'aff')
    const wish = { destinationUrl: textOf(values, 'destinationUrl') || null, ...(aff && { aff }) }
    create.mutate(wishOf(wish, values), { onSuccess: onDone })
  }
  const { hint, required, example = 'https://example.com/pricing' } = words.page
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {children}
      <Field
        label="Page it leads to"
        optional={!required}
        {...(hint && { hint })}
        error={fieldError(create.error, 'destinationUrl')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="destinationUrl"
            inputMode="url"
            placeholder={example}
            required={required}
            autoFocus={!children}
          />
        )}
      </Field>
      <Field label={words.aff.label} optional hint={words.aff.hint} error={fieldError(create.error, 'aff')}>
        {(wiring) => <Input {...wiring} name="aff" maxLength={128} placeholder="maya" autoComplete="off" />}
      </Field>
      <FormError error={create.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          {words.submit}
        </Button>
      </div>
    </Form>
  )
}
