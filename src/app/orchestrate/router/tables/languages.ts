/**
 * Short words that identify a language in Latin script, so that the German `was` is not looked up as English. A word that is common
 * in several of these languages is listed in all of them.
 */
export const LANGUAGE_MARKERS: Readonly<Record<string, string>> = {
  en: `the a an and to of for is are it this that with my our we i you from by at be when how what why which do does please can could
       would should was has have into there its or if but not them then than as`,
  de: `der die das den dem ein eine einen einer und ist nicht bitte mit fur von zu im bei wir ich du sie mein meinen meine unser unsere
       wie warum wieso hier diese dieser dieses noch sich aus uber kannst sind wird zum zur kleines mach`,
  fr: `le la les un une des du de et est ne pas plus pour dans sur ce cette ces mon ma mes avec que qui il au aux en l d qu ca stp nous je tu a y`,
}

/** Before an apostrophe these are separate words (`l'application`); other apostrophes are dropped (`doesn't`). */
export const ELIDED_ARTICLES = 'l d c j m n s t qu'
