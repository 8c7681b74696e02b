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
  es: `el la los las un una de del y es no para con por en que mi mis este esta estos se lo al como su sus quiero muy haz`,
  pt: `os um uma de da dos das nao para com por em na que meu minha esse essa isso ao eu voce muito mais como seu sua o e do no se`,
  it: `il lo la gli le un una uno di del della dei e non per con su che mio mia mie questo questa da al ci sono piu nel i l d`,
}

/** Before an apostrophe these are separate words (`l'application`); other apostrophes are dropped (`doesn't`). */
export const ELIDED_ARTICLES = 'l d c j m n s t qu un all dell nell sull dall'
