import type { ChangeProgram, Program } from '@tributary/contract'
import { formText } from '~/components/controls/form.tsx'
import { parseWebsites } from './websites.tsx'

/** Every setting that the form has a field for. */
export type Settings = Required<ChangeProgram>

const NAMES = [
  'name',
  'websites',
  'currency',
  'timezone',
  'cookieWindowDays',
  'attributionModel',
  'leadAuth',
  'paymentTrackingMode',
  'partnersCreateLinks',
  'applicationsOpen',
  'applicationText',
] as const satisfies (keyof Settings)[]

/** Text areas normalize line endings, and `formText` trims; do the same to compare. */
const normalize = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

export const toSettings = (program: Program): Settings => {
  const settings = Object.fromEntries(NAMES.map((name) => [name, program[name]])) as Settings
  return {
    ...settings,
    name: normalize(program.name),
    applicationText: normalize(program.applicationText ?? '') || null,
  }
}

/** Disabled fields are missing from the form data, so they keep their previous value. */
export const readSettings = (values: FormData, before: Settings): Settings => ({
  name: formText(values, 'name'),
  websites: parseWebsites(formText(values, 'websites')),
  currency: formText(values, 'currency') || before.currency,
  timezone: formText(values, 'timezone'),
  cookieWindowDays: Number(values.get('cookieWindowDays') ?? before.cookieWindowDays),
  attributionModel: (formText(values, 'attributionModel') || before.attributionModel) as Settings['attributionModel'],
  leadAuth: (formText(values, 'leadAuth') || before.leadAuth) as Settings['leadAuth'],
  paymentTrackingMode: formText(values, 'paymentTrackingMode') as Settings['paymentTrackingMode'],
  partnersCreateLinks: values.get('partnersCreateLinks') === 'on',
  applicationsOpen: values.get('applicationsOpen') === 'on',
  applicationText: normalize(formText(values, 'applicationText')) || null,
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Only changed fields, so concurrent edits by another member are kept. */
export const diffSettings = (now: Settings, before: Settings): ChangeProgram =>
  Object.fromEntries(NAMES.filter((name) => !isSame(now[name], before[name])).map((name) => [name, now[name]]))

export const isChanged = (now: Settings, before: Settings) => Object.keys(diffSettings(now, before)).length > 0
