import { Field, Input, Select } from '~/components/controls/field.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { instance } from '~/instance.ts'
import { Section } from '../section.tsx'
import type { RulesDraft } from './rules-text.ts'

type Props = { rules: RulesDraft; onChange: (rules: RulesDraft) => void; disabled: boolean }

const LISTS = [
  {
    name: 'emailDomains',
    label: 'Email domains',
    placeholder: 'agency.com',
    hint: () =>
      instance.hasMail
        ? 'Matches once the applicant confirms the address by email.'
        : 'Works only with a mail server (SMTP_URL): applicants must first confirm their address by email.',
  },
  {
    name: 'countries',
    label: 'Countries',
    placeholder: 'DE, US',
    hint: () => 'Two-letter codes. The country is derived from the applicant’s IP address, so a VPN can change it.',
  },
  {
    name: 'websiteDomains',
    label: 'Website domains',
    placeholder: 'example.com',
    hint: () => 'Compared with the answers to “Web address” questions. Not verified: applicants can enter any website.',
  },
] as const

/** Who is approved without a decision. */
export const ApprovalSection = ({ rules, onChange, disabled }: Props) => (
  <Section
    title="Automatic approval"
    description="Applicants who meet your conditions become partners immediately. You decide on all others."
    disabled={disabled}
  >
    <Switch
      label="Approve applicants who meet your conditions"
      checked={rules.isOn}
      onChange={(isOn) => onChange({ ...rules, isOn })}
      disabled={disabled}
    />
    {rules.isOn && (
      <>
        <Field label="Approve if">
          {(wiring) => (
            <Select
              {...wiring}
              value={rules.match}
              onChange={({ currentTarget }) =>
                onChange({ ...rules, match: currentTarget.value === 'any' ? 'any' : 'all' })
              }
            >
              <option value="all">The applicant meets every condition you fill in</option>
              <option value="any">The applicant meets at least one condition</option>
            </Select>
          )}
        </Field>
        {LISTS.map(({ name, label, placeholder, hint }) => (
          <Field key={name} label={label} optional hint={hint()}>
            {(wiring) => (
              <Input
                {...wiring}
                value={rules[name]}
                placeholder={placeholder}
                onChange={({ currentTarget }) => onChange({ ...rules, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </>
    )}
  </Section>
)
