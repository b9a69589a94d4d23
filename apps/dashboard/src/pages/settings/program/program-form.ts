import type { ChangeProgram, Program } from '@tributary/contract'
import { formText } from '~/components/controls/form.tsx'
import { parseWebsites } from './websites.tsx'

/** Every setting that the form has a field for. */
export type Settings = Required<ChangeProgram>

const SETTING_NAMES = [
  'name',
  'websites',
  'currency',
  'timezone',
  'cookieWindowDays',
  'attributionModel',
  'leadAuth',
  'paymentTrackingMode',
  'respectGlobalPrivacyControl',
  'reviewAdClicks',
  'reviewWithinSeconds',
  'codePrecedence',
  'partnersCreateLinks',
  'partnersRequestCodes',
  'applicationsOpen',
  'applicationText',
] as const satisfies (keyof Settings)[]
export type SettingName = (typeof SETTING_NAMES)[number]

/** Text areas normalize line endings, and `formText` trims; do the same to compare. */
const normalize = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

export const toSettings = (program: Program): Settings => {
  const settings = Object.fromEntries(SETTING_NAMES.map((name) => [name, program[name]])) as Settings
  return {
    ...settings,
    name: normalize(program.name),
    applicationText: normalize(program.applicationText ?? '') || null,
  }
}

/** Reads the fields of a form. The others, and disabled ones, which are missing from the form data, keep their value. */
export const readSettings = (values: FormData, fields: readonly SettingName[], before: Settings): Settings => {
  const text = <Name extends SettingName>(name: Name) => (formText(values, name) || before[name]) as Settings[Name]
  const read: Settings = {
    name: formText(values, 'name'),
    websites: parseWebsites(formText(values, 'websites')),
    currency: text('currency'),
    timezone: text('timezone'),
    cookieWindowDays: Number(values.get('cookieWindowDays') ?? before.cookieWindowDays),
    attributionModel: text('attributionModel'),
    leadAuth: text('leadAuth'),
    paymentTrackingMode: text('paymentTrackingMode'),
    respectGlobalPrivacyControl: values.get('respectGlobalPrivacyControl') === 'on',
    // A switch that is off and one that is disabled are both missing; the field next to it tells them apart.
    reviewAdClicks: values.has('reviewWithinSeconds') ? values.get('reviewAdClicks') === 'on' : before.reviewAdClicks,
    reviewWithinSeconds: values.has('reviewWithinSeconds')
      ? Number(values.get('reviewWithinSeconds')) || null
      : before.reviewWithinSeconds,
    codePrecedence: text('codePrecedence'),
    partnersCreateLinks: values.get('partnersCreateLinks') === 'on',
    partnersRequestCodes: values.get('partnersRequestCodes') === 'on',
    applicationsOpen: values.get('applicationsOpen') === 'on',
    applicationText: normalize(formText(values, 'applicationText')) || null,
  }
  return { ...before, ...Object.fromEntries(fields.map((name) => [name, read[name]])) }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Only changed fields, so concurrent edits by another member are kept. */
export const diffSettings = (now: Settings, before: Settings): ChangeProgram =>
  Object.fromEntries(SETTING_NAMES.filter((name) => !isSame(now[name], before[name])).map((name) => [name, now[name]]))

export const isChanged = (now: Settings, before: Settings) => Object.keys(diffSettings(now, before)).length > 0
