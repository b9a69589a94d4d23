import type { AppliedToEarlier, EarlierEvents } from '@tributary/contract'
import { formatList, formatMoney } from '~/components/format/format.ts'
import { countEarlier } from './no-reward-notice.tsx'

const CHOICES = [
  { value: 'no', label: 'New leads and sales only', hint: 'Earlier ones earn nothing. You can’t change this later.' },
  { value: 'yes', label: 'Include earlier ones', hint: 'Calculated as if this reward had always applied.' },
]

/** Asked once, with the program's first terms. Nothing is preselected. */
export const EarlierChoice = ({ earlier }: { earlier: EarlierEvents }) => {
  const revenue = formatList(earlier.revenue.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-4">
      <legend className="sr-only">Earlier leads and sales</legend>
      <p className="text-sm">
        <span className="font-medium">{countEarlier(earlier)} earned nothing so far</span>
        {revenue && ` (${revenue} in sales)`}. Apply this reward to them?
      </p>
      {CHOICES.map(({ value, label, hint }) => (
        <label key={value} className="flex items-start gap-2.5 text-sm">
          <input type="radio" name="applyToEarlier" value={value} required className="mt-1 accent-accent" />
          <span>
            <span className="block font-medium">{label}</span>
            <span className="block text-faint text-xs">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export const describeApplied = ({ leads, sales, amounts, finished }: AppliedToEarlier) => {
  if (leads + sales === 0 && finished) return 'The reward doesn’t pay for any of the earlier leads and sales.'
  const commissions = formatList(amounts.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  const rest = finished ? '' : ' The rest is still being processed.'
  return `Applied to ${countEarlier({ leads, sales }) || 'none yet'}: ${commissions || 'nothing'} in commissions.${rest}`
}
