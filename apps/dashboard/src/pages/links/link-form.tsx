import { isOnWebsites, originOf } from '@tributary/contract/origins'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'

export type LinkInput = { destinationUrl: string | null; aff?: string }

/** The texts that differ between the merchant's form and the partner's. */
export type LinkFormText = {
  aff: { label: string; hint: string }
  submit: string
}

type Props<Link, Request> = {
  create: {
    mutate: (request: Request, feedback: { onSuccess: (link: Link) => void }) => void
    error: Error | null
    isPending: boolean
  }
  /** Adds the fields specific to this form. */
  toRequest: (input: LinkInput, values: FormData) => Request
  text: LinkFormText
  /** The page must be on one of these websites, and is required if there are none. */
  websites: string[]
  /** Suggested pages. The first is filled in. */
  landingPages?: string[]
  isPageRequired?: boolean
  onDone: (link: Link) => void
  /** Rendered above the other fields. */
  children?: ReactNode
}

const FIELDS = ['partnerId', 'destinationUrl', 'aff']

const AFF = /^[A-Za-z0-9_-]{2,128}$/
export const AFF_RULE = '2–128 letters, digits, hyphens or underscores.'

type Problems = { destinationUrl?: string; aff?: string }

const findProblems = ({ destinationUrl, aff }: LinkInput, websites: string[]): Problems => ({
  ...(aff && !AFF.test(aff) && { aff: `Use ${AFF_RULE}` }),
  ...(destinationUrl &&
    (originOf(destinationUrl) === null
      ? { destinationUrl: `Enter a full URL, for example ${websites[0] ?? 'https://example.com'}/pricing.` }
      : !isOnWebsites(destinationUrl, websites) && {
          destinationUrl: `This page is not on ${websites.join(' or ')}.`,
        })),
})

const pageHint = (websites: string[], landingPages: string[]) => {
  if (websites.length === 0) return 'The page visitors land on.'
  const site = websites.join(' or ')
  if (landingPages.length > 1) return `Choose a suggested page, or enter another page on ${site}.`
  return `A page on ${site}.${landingPages.length > 0 ? '' : ' Leave empty for the home page.'}`
}

export const LinkForm = <Link, Request>(props: Props<Link, Request>) => {
  const { create, toRequest, text, websites, landingPages = [], isPageRequired = false, onDone, children } = props
  const pagesId = useId()
  const [problems, setProblems] = useState<Problems>({})
  const submit = (values: FormData) => {
    const aff = formText(values, 'aff')
    const input = { destinationUrl: formText(values, 'destinationUrl') || null, ...(aff && { aff }) }
    const found = findProblems(input, websites)
    setProblems(found)
    if (Object.keys(found).length === 0) create.mutate(toRequest(input, values), { onSuccess: onDone })
  }
  return (
    <Form onSubmit={submit} onChange={() => setProblems({})} className="flex flex-col gap-4">
      {children}
      <Field
        label="Destination page"
        optional={!isPageRequired}
        hint={pageHint(websites, landingPages)}
        error={problems.destinationUrl ?? fieldError(create.error, 'destinationUrl')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="destinationUrl"
            inputMode="url"
            placeholder={`${websites[0] ?? 'https://example.com'}/pricing`}
            defaultValue={landingPages[0]}
            list={landingPages.length > 1 ? pagesId : undefined}
            required={isPageRequired}
            autoFocus={!children}
          />
        )}
      </Field>
      <datalist id={pagesId}>
        {landingPages.map((page) => (
          <option key={page} value={page} />
        ))}
      </datalist>
      <Field
        label={text.aff.label}
        optional
        hint={text.aff.hint}
        error={problems.aff ?? fieldError(create.error, 'aff')}
      >
        {(wiring) => <Input {...wiring} name="aff" maxLength={128} placeholder="maya" autoComplete="off" />}
      </Field>
      <FormError error={create.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          {text.submit}
        </Button>
      </div>
    </Form>
  )
}
