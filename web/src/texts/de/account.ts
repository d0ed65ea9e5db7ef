/** Konten, das Ende einer Sitzung, und Spiele, die das Haus abgesagt hat. */

import type { Texts } from "../en/index";

export const account: Pick<Texts, "account" | "session" | "calledOff"> = {
  account: {
    title: "Konto",
    signIn: "Anmelden",
    signUp: "Konto anlegen",
    signOut: "Abmelden",
    name: "Name",
    password: "Passwort",
    welcome: (name) => `Willkommen, ${name}.`,
    goodbye: "Du bist abgemeldet und spielst als neuer Gast.",
    signedIn: (name) => `Du bist angemeldet als ${name}.`,
    badName: "Ein Name hat 3 bis 32 Buchstaben, Ziffern, Punkte, Striche oder Unterstriche und beginnt mit Buchstabe oder Ziffer.",
    badPassword: (least) => `Ein Passwort hat mindestens ${least} Zeichen.`,
    guestStays: (balance) => `Die ${balance}, die du als Gast hast, bleiben beim Gast. Lege ein Konto an, um sie zu behalten.`,
    guestKeeps: (balance) => `Du behältst deine ${balance}, deinen Verlauf und ein offenes Spiel.`,
    kept: (name) => `Willkommen, ${name}. Alles gehört weiter dir.`,
    change: "Passwort ändern",
    now: "Dein jetziges Passwort",
    renewed: "Neues Passwort",
    changed: "Dein Passwort ist geändert. Andere Geräte sind abgemeldet.",
    changeSays: "Jedes andere Gerät, auf dem du angemeldet bist, wird abgemeldet.",
    openStays: "Du hast als Gast ein offenes Spiel. Beende es zuerst: es bleibt beim Gast.",
  },
  session: {
    soon: "Noch da?",
    soonSays: (left) => `Deine Sitzung endet in ${left}. Einsätze und ein offenes Spiel bleiben, wie sie sind.`,
    stay: "Bleiben",
    last: (left) => `Eine Sitzung dauert zwölf Stunden; deine endet in ${left}. Ein offenes Spiel bleibt offen: melde dich wieder an.`,
    lastGuest: "Ein Gast kann nicht wiederkommen. Lege jetzt ein Konto an, um Guthaben und Verlauf zu behalten.",
    over: "Deine Sitzung ist zu Ende",
    overSays: "Melde dich an, um weiterzuspielen. Geld und ein offenes Spiel sind, wie du sie verlassen hast.",
    overGuest: "Melde dich an, oder spiele als neuer Gast weiter.",
    newGuest: "Als neuer Gast weiter",
  },
  calledOff: {
    title: "Ein Spiel wurde abgesagt",
    says: (game, when, back) => `${game}, ${when}: ${back} gingen zurück auf dein Guthaben.`,
    correctedTitle: "Ein Spiel wurde berichtigt",
    corrected: (game, when, stakes) =>
      `${game}, ${when}: Das Haus hat dieses Spiel berichtigt. Deine Einsätze von ${stakes} sind zurück; was es ausgezahlt hatte, ist zurückgenommen.`,
    reasons: {
      cancelled: "Es war 30 Tage lang offen.",
      misdeal: "Es wurde eine falsche Zahl von Karten gegeben.",
      malfunction: "Etwas ging kaputt. Eine Störung macht das Spiel ungültig.",
    },
    look: "Ansehen",
    done: "Verstanden",
  },
};
