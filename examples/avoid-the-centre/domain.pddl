; Driving through a city laid out as a grid: one action for each block driven.
(define (domain city)
  (:requirements :strips :typing)
  (:types car crossing)
  (:predicates
    (at ?c - car ?x - crossing)
    (street ?x ?y - crossing))

  (:action drive
    :parameters (?c - car ?from ?to - crossing)
    :precondition (and (at ?c ?from) (street ?from ?to))
    :effect (and (not (at ?c ?from)) (at ?c ?to))))
