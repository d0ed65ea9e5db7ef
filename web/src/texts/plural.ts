/** A sentence for a number, in the forms its language has; `#` stands for the number itself. */

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

export function plural(locale: string, count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return form.replace("#", new Intl.NumberFormat(locale).format(count));
}
