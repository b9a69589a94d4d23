import type { UseMutationResult } from '@tanstack/react-query'
import { isOnWebsites, originOf } from '@tributary/contract/origins'
import { type ReactNode, useState } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'

export type LinkWish = { destinationUrl: string | null; aff?: string }

/** What differs between a merchant's form and a partner's. */
export type LinkWords = {
  aff: { label: string; hint: string }
  submit: string
}

type Props<Link, Wish> = {
  create: UseMutationResult<Link, Error, Wish>
  /** Adds what else a form of this kind says. */
  wishOf: (wish: LinkWish, values: FormData) => Wish
  words: LinkWords
  /** The program's websites: a page must be on one of them, and is required where there is none. */
  websites: string[]
  isPageRequired?: boolean
  onDone: (link: Link) => void
  /** Fields before the others. */
  children?: ReactNode
}

const FIELDS = ['partnerId', 'destinationUrl', 'aff']

const AFF = /^[A-Za-z0-9_-]{2,128}$/
export const AFF_RULE = '2 to 128 letters, digits, - and _.'

type Problems = { destinationUrl?: string; aff?: string }

const problemsIn = ({ destinationUrl, aff }: LinkWish, websites: string[]): Problems => ({
  ...(aff && !AFF.test(aff) && { aff: `Use ${AFF_RULE}` }),
  ...(destinationUrl &&
    (originOf(destinationUrl) === null
      ? { destinationUrl: `Enter a full address such as ${websites[0] ?? 'https://example.com'}/pricing.` }
      : !isOnWebsites(destinationUrl, websites) && {
          destinationUrl: `This page is not on ${websites.join(' or ')}.`,
        })),
})

const pageHint = (websites: string[]) =>
  websites.length > 0
    ? `A page on ${websites.join(' or ')}. Leave empty for the home page.`
    : 'The page that visitors see first.'

export const LinkForm = <Link, Wish>(props: Props<Link, Wish>) => {
  const { create, wishOf, words, websites, isPageRequired = false, onDone, children } = props
  const [problems, setProblems] = useState<Problems>({})
  const submit = (values: FormData) => {
    const aff = textOf(values, 'aff')
    const wish = { destinationUrl: textOf(values, 'destinationUrl') || null, ...(aff && { aff }) }
    const found = problemsIn(wish, websites)
    setProblems(found)
    if (Object.keys(found).length === 0) create.mutate(wishOf(wish, values), { onSuccess: onDone })
  }
  return (
    <Form onSubmit={submit} onChange={() => setProblems({})} className="flex flex-col gap-4">
      {children}
      <Field
        label="Page it leads to"
        optional={!isPageRequired}
        hint={pageHint(websites)}
        error={problems.destinationUrl ?? fieldError(create.error, 'destinationUrl')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="destinationUrl"
            inputMode="url"
            placeholder={`${websites[0] ?? 'https://example.com'}/pricing`}
            required={isPageRequired}
            autoFocus={!children}
          />
        )}
      </Field>
      <Field
        label={words.aff.label}
        optional
        hint={words.aff.hint}
        error={problems.aff ?? fieldError(create.error, 'aff')}
      >
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
