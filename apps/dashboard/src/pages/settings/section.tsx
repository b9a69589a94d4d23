import type { ReactNode } from 'react'
import { Card } from '~/components/card.tsx'

type Props = { title: string; description: string; disabled?: boolean; children: ReactNode }

export const Section = ({ title, description, disabled, children }: Props) => (
  <Card className="grid gap-x-8 gap-y-4 p-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
    <div>
      <h2 className="text-section">{title}</h2>
      <p className="mt-1 text-pretty text-faint text-sm">{description}</p>
    </div>
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">{title}</legend>
      {children}
    </fieldset>
  </Card>
)
