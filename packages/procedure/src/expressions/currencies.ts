import { fail } from "./evaluation-failure.ts";

/**
 * ISO 4217 codes by the number of decimals of an amount. The list includes codes withdrawn since 2018, because older
 * invoices name them. Precious metals, test codes and units of account without a minor unit (`XAU`, `XTS`, `XDR`) are
 * left out.
 */
const codesByDecimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
    CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR
    ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR
    MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STD
    STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VEF VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL`,
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const decimalsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDecimals).flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** A currency of ISO 4217. */
export interface Currency {
  /** In upper case. */
  readonly code: string;
  /** Decimals of an amount: 2 for EUR, 0 for JPY, 3 for KWD. */
  readonly decimals: number;
}

/** Reads a code in upper or lower case, as services write either. */
export function currencyOf(text: string): Currency {
  const code = /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : "";
  const decimals = decimalsByCode.get(code);
  if (decimals === undefined) {
    return fail('takes a currency with a minor unit by its ISO 4217 code, such as "EUR"');
  }
  return { code, decimals };
}
